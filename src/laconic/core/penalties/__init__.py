"""Penalties: λ₁‖w‖₁ + λ₂‖w‖₂² + λ_g Σ_g d_g‖w_g‖₂ for no, disjoint, nested and overlapping groups."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".base": "DualPoint Penalty",
        ".elastic_net": "ElasticNetPenalty",
        ".group": "GroupPenalty TreePenalty group_penalty",
        ".overlapping": "OverlappingPenalty",
    },
)
