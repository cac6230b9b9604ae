-- The planner must know how many tracks match `genre:house` or `artist:…`: with many, the first rows are read in the
-- order of the list; with few, by the trigrams.
create statistics tracks_lower_fields on (lower(title)), (lower(artist)), (lower(album)), (lower(genre)), (lower(comment)),
  (lower(separation_model)) from tracks;
