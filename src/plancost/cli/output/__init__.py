"""What commands print: tables, lines, progress and logs."""
