-- Files whose length was not read are read again at the next walk.
update catalog_files set modified_ms = -1 where duration_ms = 0;
