"""The page Rating differences."""
