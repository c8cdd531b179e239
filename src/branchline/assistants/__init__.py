"""For assistants and language models: tables, rules and the referee by the Model Context Protocol, and a benchmark."""
