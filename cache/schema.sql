-- Simmer's cache, version 1. This file is what runs when a cache is made, and its documentation. Look inside with
--   sqlite3 .simmer/cache.db "SELECT * FROM artifacts LIMIT 5"
-- A cache may be deleted at any time: all of it can be cooked again. Digests are SHA-256, 32 bytes; the views at the
-- end show them as hexadecimal. Times are microseconds since 1970-01-01 UTC.

-- What artifacts are made of, each content once.
CREATE TABLE blobs (
  id INTEGER PRIMARY KEY,
  digest BLOB NOT NULL UNIQUE,  -- of the bytes
  bytes INTEGER NOT NULL,       -- how many bytes
  data BLOB                     -- the bytes; NULL when they stand in the file blobs/ab/cdef… (the digest) beside it
);
CREATE INDEX blobs_by_bytes ON blobs (bytes);

-- One cooked item, or the answer that it can not be cooked (then without blobs).
CREATE TABLE records (
  id INTEGER PRIMARY KEY,
  key BLOB NOT NULL UNIQUE,     -- SHA-256 of key_text
  used INTEGER NOT NULL,        -- when it was last asked for, to an hour
  checksum BLOB NOT NULL,       -- SHA-256 of the key, the list of blobs and meta
  key_text TEXT NOT NULL,       -- everything that decides the artifact's bytes
  meta TEXT NOT NULL            -- JSON: measures, messages
);
CREATE INDEX records_by_used ON records (used);

-- Which blobs a record needs, in order.
CREATE TABLE record_blobs (
  record INTEGER NOT NULL REFERENCES records (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,    -- 0, 1, 2, …
  blob INTEGER NOT NULL REFERENCES blobs (id),
  PRIMARY KEY (record, position)
) WITHOUT ROWID;
CREATE INDEX record_blobs_by_blob ON record_blobs (blob);

-- Small texts remembered by a digest: what a source holds, which files it depends on.
CREATE TABLE notes (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  digest BLOB NOT NULL,
  used INTEGER NOT NULL,        -- when it was last asked for, to an hour
  checksum BLOB NOT NULL,       -- SHA-256 of kind, digest and text
  text TEXT NOT NULL,
  UNIQUE (kind, digest)
);
CREATE INDEX notes_by_used ON notes (used);

-- corrupt_dropped: how many blobs, records and notes were found damaged and dropped, ever.
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
);

-- For people.
CREATE VIEW artifacts AS
  SELECT lower(hex(key)) AS key, datetime(used / 1000000, 'unixepoch') AS last_used,
         (SELECT count(*) FROM record_blobs WHERE record = records.id) AS blobs,
         (SELECT coalesce(sum(b.bytes), 0) FROM record_blobs AS l JOIN blobs AS b ON b.id = l.blob
           WHERE l.record = records.id) AS bytes,
         meta, key_text
    FROM records;

CREATE VIEW blob_list AS
  SELECT lower(hex(digest)) AS digest, bytes,
         (SELECT count(*) FROM record_blobs WHERE blob = blobs.id) AS uses,
         CASE WHEN data IS NULL THEN 'blobs/' || lower(substr(hex(digest), 1, 2) || '/' || substr(hex(digest), 3))
              ELSE 'database' END AS place
    FROM blobs;

CREATE VIEW note_list AS
  SELECT kind, lower(hex(digest)) AS digest, datetime(used / 1000000, 'unixepoch') AS last_used, text FROM notes;
