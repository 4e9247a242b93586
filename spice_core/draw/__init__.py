"""Drawing: results as networkx graphs, pyvis pages and plotly charts. Returns data, HTML or figures."""
