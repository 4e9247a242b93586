"""Files that a visitor uploads: data sets, images, dependency trees."""
