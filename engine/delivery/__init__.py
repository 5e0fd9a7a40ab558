"""The protocol by which a plan is carried out: tickets for people, models and command-line agents, with proof."""
