"""The reference protocol for shufflers and dealing shoes: frames, messages and both ends, without any input or output."""
