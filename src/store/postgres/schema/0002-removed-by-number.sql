-- A cursor that stands behind a record which was removed since finds it by its number.
CREATE INDEX removed_number ON removed (home, n);
