"""Device drivers: what speaks to a device under test over a link. Others are added by entry point."""
