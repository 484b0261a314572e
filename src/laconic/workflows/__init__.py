"""Whole jobs as plain functions: they take and return dataclasses, never print, and tell a `Watch` how they go on."""
