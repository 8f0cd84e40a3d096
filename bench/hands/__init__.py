"""Hands: whoever moves cards at the table. Emulated, a dealing robot behind an address, or a person who is prompted."""
