-- The identity of this database and of the storage folders that belong to it, which carry it in a marker file. One row,
-- inserted at the first start: a clone made from a schema alone has none.
create table storage_identity (
  is_only boolean primary key default true check (is_only),
  id uuid not null,
  created_at timestamptz not null
);
