"""Looking ahead: playouts over sampled deals, beliefs about hidden tickets, and why a bot moved."""
