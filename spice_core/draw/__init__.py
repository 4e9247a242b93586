"""Drawing of results: networkx graphs, SVG pictures, pyvis pages and plotly charts."""
