"""The libraries, their versions, and what is installed to run each."""

from typing import NamedTuple

TORCH = "torch==2.13.0"


class Library(NamedTuple):
    name: str
    pins: tuple[str, ...]
    """What is installed, the library itself first."""
    extra: str
    """The extra of numduel's that it needs."""

    @property
    def version(self) -> str:
        return self.pins[0].partition("==")[2]

    @property
    def module(self) -> str:
        return f"libraries.with_{self.name.replace('-', '_').lower()}"


LIBRARIES = (
    Library("stable-baselines3", ("stable-baselines3==2.9.2", "sb3-contrib==2.9.2", TORCH),
            "gymnasium"),
    Library("torchrl", ("torchrl==0.14.1", "tensordict==0.14.3", TORCH), "gymnasium"),
    Library("rllib", ("ray[rllib]==2.60.0", TORCH), "gymnasium"),
    Library("tianshou", ("tianshou==2.0.1", TORCH), "pettingzoo"),
    Library("pettingzoo", ("pettingzoo==1.27.0", "sb3-contrib==2.9.2", TORCH), "pettingzoo"),
    Library("openspiel", ("open-spiel==2.0.2", "jax==0.10.2", "cvxpy==1.9.3"), "openspiel"),
    Library("reasoning-gym", ("reasoning-gym==0.1.25",), "reasoning-gym"),
    Library("textarena", ("textarena==0.7.4",), "textarena"),
    Library("verifiers", ("verifiers==0.4.0",), "verifiers"),
)  # fmt: skip
