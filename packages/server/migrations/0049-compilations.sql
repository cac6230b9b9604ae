-- Albums are grouped again by folder at the end of a scan that has read a file: one changed file makes the next scan do so.
update catalog_files set modified_ms = -1
where path = (select path from catalog_files where album_id is not null order by path limit 1);
