"""What `laconic.core.groups.Groups` is made with: checks of its parts, questions about many sets, JSON."""
