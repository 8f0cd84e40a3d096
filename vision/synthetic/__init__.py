"""Our own drawn deck, table and dice, and the renderer that photographs them. Nothing here is read by the reader."""
