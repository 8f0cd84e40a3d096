"""The reference protocol for shufflers and dealing shoes: frames, messages and both ends; no input or output."""
