-- What an account has stored counts the files of its records, too: the sizes that the field files of a text tells, once for each name. Texts without
-- the hash of any file are not parsed. The triggers of the first release go on counting the bytes of texts; the order of triggers does not matter.

CREATE TRIGGER record_files_come AFTER INSERT ON record WHEN instr(new.doc, '"sha256":') > 0 BEGIN
  INSERT INTO usage SELECT new.owner, 0, (
  SELECT CAST(min(total(value ->> 'size'), 9007199254740991) AS INTEGER) FROM json_each(new.doc, '$.files')
  WHERE json_type(new.doc, '$.files') = 'array' AND type = 'object' AND json_type(value, '$.size') = 'integer' AND value ->> 'size' > 0
) WHERE true
    ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER record_files_go AFTER DELETE ON record WHEN instr(old.doc, '"sha256":') > 0 BEGIN
  UPDATE usage SET bytes = bytes - (
  SELECT CAST(min(total(value ->> 'size'), 9007199254740991) AS INTEGER) FROM json_each(old.doc, '$.files')
  WHERE json_type(old.doc, '$.files') = 'array' AND type = 'object' AND json_type(value, '$.size') = 'integer' AND value ->> 'size' > 0
) WHERE owner = old.owner;
END;
CREATE TRIGGER record_files_change AFTER UPDATE OF doc ON record WHEN instr(old.doc, '"sha256":') > 0 OR instr(new.doc, '"sha256":') > 0 BEGIN
  UPDATE usage SET bytes = bytes + (
  SELECT CAST(min(total(value ->> 'size'), 9007199254740991) AS INTEGER) FROM json_each(new.doc, '$.files')
  WHERE json_type(new.doc, '$.files') = 'array' AND type = 'object' AND json_type(value, '$.size') = 'integer' AND value ->> 'size' > 0
) - (
  SELECT CAST(min(total(value ->> 'size'), 9007199254740991) AS INTEGER) FROM json_each(old.doc, '$.files')
  WHERE json_type(old.doc, '$.files') = 'array' AND type = 'object' AND json_type(value, '$.size') = 'integer' AND value ->> 'size' > 0
) WHERE owner = new.owner;
END;

CREATE TRIGGER removed_files_come AFTER INSERT ON removed WHEN instr(new.doc, '"sha256":') > 0 BEGIN
  INSERT INTO usage SELECT new.owner, 0, (
  SELECT CAST(min(total(value ->> 'size'), 9007199254740991) AS INTEGER) FROM json_each(new.doc, '$.files')
  WHERE json_type(new.doc, '$.files') = 'array' AND type = 'object' AND json_type(value, '$.size') = 'integer' AND value ->> 'size' > 0
) WHERE true
    ON CONFLICT (owner) DO UPDATE SET bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER removed_files_go AFTER DELETE ON removed WHEN instr(old.doc, '"sha256":') > 0 BEGIN
  UPDATE usage SET bytes = bytes - (
  SELECT CAST(min(total(value ->> 'size'), 9007199254740991) AS INTEGER) FROM json_each(old.doc, '$.files')
  WHERE json_type(old.doc, '$.files') = 'array' AND type = 'object' AND json_type(value, '$.size') = 'integer' AND value ->> 'size' > 0
) WHERE owner = old.owner;
END;
CREATE TRIGGER removed_files_change AFTER UPDATE OF doc ON removed WHEN instr(old.doc, '"sha256":') > 0 OR instr(new.doc, '"sha256":') > 0 BEGIN
  UPDATE usage SET bytes = bytes + (
  SELECT CAST(min(total(value ->> 'size'), 9007199254740991) AS INTEGER) FROM json_each(new.doc, '$.files')
  WHERE json_type(new.doc, '$.files') = 'array' AND type = 'object' AND json_type(value, '$.size') = 'integer' AND value ->> 'size' > 0
) - (
  SELECT CAST(min(total(value ->> 'size'), 9007199254740991) AS INTEGER) FROM json_each(old.doc, '$.files')
  WHERE json_type(old.doc, '$.files') = 'array' AND type = 'object' AND json_type(value, '$.size') = 'integer' AND value ->> 'size' > 0
) WHERE owner = new.owner;
END;

-- Reads all texts once, and parses those that have a hash.
UPDATE usage SET bytes = usage.bytes + counted.of_files FROM (
  SELECT owner, sum((
  SELECT CAST(min(total(value ->> 'size'), 9007199254740991) AS INTEGER) FROM json_each(doc, '$.files')
  WHERE json_type(doc, '$.files') = 'array' AND type = 'object' AND json_type(value, '$.size') = 'integer' AND value ->> 'size' > 0
)) AS of_files FROM (
    SELECT owner, doc FROM record WHERE instr(doc, '"sha256":') > 0 UNION ALL SELECT owner, doc FROM removed WHERE instr(doc, '"sha256":') > 0
  ) GROUP BY owner
) counted WHERE usage.owner = counted.owner;
