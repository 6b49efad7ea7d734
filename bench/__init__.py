"""What `make bench` measures: ratios against something outside the project, in the same run."""
