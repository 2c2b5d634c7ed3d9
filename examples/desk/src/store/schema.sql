-- What the desk keeps. `user_version` counts changes of this file.

-- Where items come from: a repository or an issues file. `name` is the app id or the project's name.
CREATE TABLE IF NOT EXISTS source (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    location TEXT NOT NULL,
    generation INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, location),
    UNIQUE (kind, name)
);

-- Everything that can be mentioned. An item that no source holds any more is gone: it is not found, but a mention of it resolves.
CREATE TABLE IF NOT EXISTS item (
    key INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    id TEXT NOT NULL,
    handle TEXT NOT NULL,
    title TEXT NOT NULL,
    body TEXT NOT NULL,
    author TEXT NOT NULL,
    state TEXT NOT NULL,
    url TEXT NOT NULL,
    updated_ms INTEGER,
    UNIQUE (provider, id)
);

CREATE TABLE IF NOT EXISTS held (
    source INTEGER NOT NULL REFERENCES source (id),
    item INTEGER NOT NULL REFERENCES item (key),
    generation INTEGER NOT NULL,
    PRIMARY KEY (item, source)
) WITHOUT ROWID;

-- The tracked files of a repository; folders are the nested groups of its app.
CREATE TABLE IF NOT EXISTS file (
    source INTEGER NOT NULL REFERENCES source (id),
    path TEXT NOT NULL,
    folder TEXT NOT NULL,
    name TEXT NOT NULL,
    size INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    gone INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (source, path)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS file_by_folder ON file (source, folder, name);

CREATE TABLE IF NOT EXISTS folder (
    source INTEGER NOT NULL REFERENCES source (id),
    parent TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (source, parent, path)
) WITHOUT ROWID;

-- Labels of issues (topics), and the files that an issue's text links to (its outputs), in text order.
CREATE TABLE IF NOT EXISTS topic (
    item INTEGER NOT NULL REFERENCES item (key),
    name TEXT NOT NULL,
    PRIMARY KEY (name, item)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS output (
    item INTEGER NOT NULL REFERENCES item (key),
    position INTEGER NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (item, position)
) WITHOUT ROWID;

-- Requests that must run once. A claim's number is never used again; `result` is empty while the request runs.
CREATE TABLE IF NOT EXISTS request (
    claim INTEGER PRIMARY KEY AUTOINCREMENT,
    identity TEXT NOT NULL UNIQUE,
    digest TEXT NOT NULL,
    result TEXT
);
