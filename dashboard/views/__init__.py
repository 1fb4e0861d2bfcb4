"""One module per page: render() and little else. No number is computed here."""
