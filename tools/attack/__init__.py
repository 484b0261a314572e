"""The attack: random cases against laconic, judged by oracles that share no code with it.

``python -m tools.attack --seconds 60`` draws problems, starts, files, folders, command lines and saves that are killed,
and names every case that breaks a promise with what replays it. A case follows from its number alone, whatever ran
before it. ``python -m tools.attack.saves`` stops a save at each of its system calls.
"""
