"""Drawing: results as networkx graphs, pyvis pages and plotly charts. The functions return data, HTML or figures."""
