"""One module a page: render() and little else. No number is computed here."""
