"""Security checks of a device: open ports, default logins, the firmware's identity, and the order of the cards."""
