// Reads something out to whoever listens to the page instead of looking at it. Each sentence is
// a line of its own, so that no later one takes the place of one that is still to be read.

const KEPT = 6;

export function say(text) {
  const news = document.getElementById("news");
  const line = document.createElement("p");
  line.textContent = text;
  news.append(line);
  while (news.childElementCount > KEPT) news.firstElementChild.remove();
}
