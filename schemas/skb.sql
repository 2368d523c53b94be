-- The semi-structured knowledge base (SKB), schema version 2.
-- Two layers: what one document says by itself, and what follows from the whole.
-- docs/schema.md explains every table, column and blob.

CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- said --------------------------------------------------------------------

CREATE TABLE source_item (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    place TEXT NOT NULL,
    content_hash TEXT,
    state TEXT NOT NULL,
    reason TEXT,
    UNIQUE (source, place)
);

CREATE TABLE page (
    id INTEGER PRIMARY KEY,
    uri TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES source_item (id),
    url TEXT,
    language TEXT,
    modified TEXT,
    named_by_title INTEGER NOT NULL DEFAULT 1
);
CREATE INDEX page_source ON page (source_id);

CREATE TABLE section (
    id INTEGER PRIMARY KEY,
    uri TEXT NOT NULL UNIQUE,
    page_id INTEGER NOT NULL REFERENCES page (id),
    parent_id INTEGER REFERENCES section (id),
    title TEXT NOT NULL,
    level INTEGER NOT NULL,
    position INTEGER NOT NULL,
    path_text TEXT NOT NULL
);
CREATE INDEX section_page ON section (page_id, position);
CREATE INDEX section_parent ON section (parent_id);

CREATE TABLE chunk (
    id INTEGER PRIMARY KEY,
    uri TEXT NOT NULL UNIQUE,
    page_id INTEGER NOT NULL REFERENCES page (id),
    section_id INTEGER REFERENCES section (id),
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    part INTEGER NOT NULL,
    marks_links INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX chunk_page ON chunk (page_id, position);
CREATE INDEX chunk_section ON chunk (section_id);
CREATE INDEX chunk_plain ON chunk (id) WHERE NOT marks_links;

CREATE TABLE statement (
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES source_item (id),
    page_id INTEGER REFERENCES page (id),
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL
);
CREATE INDEX statement_source ON statement (source_id);
CREATE INDEX statement_page ON statement (page_id);
CREATE INDEX statement_kind ON statement (kind, key);

CREATE TABLE link (
    chunk_id INTEGER NOT NULL REFERENCES chunk (id),
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    target TEXT NOT NULL,
    fragment TEXT NOT NULL,
    anchor TEXT NOT NULL,
    PRIMARY KEY (chunk_id, start, "end")
) WITHOUT ROWID;

-- derived -------------------------------------------------------------------

CREATE TABLE mention (
    chunk_id INTEGER NOT NULL REFERENCES chunk (id),
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    target TEXT NOT NULL,
    fragment TEXT NOT NULL,
    anchor TEXT NOT NULL,
    PRIMARY KEY (chunk_id, start, "end")
) WITHOUT ROWID;

CREATE TABLE entity (
    id INTEGER PRIMARY KEY,
    uri TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    type TEXT,
    label TEXT NOT NULL,
    page_id INTEGER REFERENCES page (id),
    graph_id INTEGER REFERENCES source_item (id)
);
CREATE INDEX entity_page ON entity (page_id) WHERE page_id IS NOT NULL;
CREATE INDEX entity_by_type ON entity (type);
CREATE INDEX entity_graph ON entity (graph_id) WHERE graph_id IS NOT NULL;

CREATE TABLE entity_type (
    entity_id INTEGER NOT NULL REFERENCES entity (id),
    type TEXT NOT NULL,
    source_id INTEGER NOT NULL REFERENCES source_item (id),
    PRIMARY KEY (entity_id, type, source_id)
) WITHOUT ROWID;

CREATE TABLE attribute (
    id INTEGER PRIMARY KEY,
    entity_id INTEGER NOT NULL REFERENCES entity (id),
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    number REAL,
    date TEXT,
    source_id INTEGER NOT NULL REFERENCES source_item (id)
);
CREATE INDEX attribute_entity ON attribute (entity_id);
CREATE INDEX attribute_number ON attribute (key, number) WHERE number IS NOT NULL;
CREATE INDEX attribute_date ON attribute (key, date) WHERE date IS NOT NULL;
CREATE INDEX attribute_value ON attribute (key, value);

CREATE TABLE alias (
    name_key TEXT NOT NULL,
    entity_id INTEGER NOT NULL REFERENCES entity (id),
    kind TEXT NOT NULL,
    weight REAL NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (name_key, entity_id, kind)
) WITHOUT ROWID;
CREATE INDEX alias_entity ON alias (entity_id);

CREATE TABLE cites (
    chunk_id INTEGER NOT NULL REFERENCES chunk (id),
    entity_id INTEGER NOT NULL REFERENCES entity (id),
    count INTEGER NOT NULL,
    PRIMARY KEY (chunk_id, entity_id)
) WITHOUT ROWID;
CREATE INDEX cites_entity ON cites (entity_id, chunk_id);

CREATE TABLE relation_type (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);

CREATE TABLE relation (
    id INTEGER PRIMARY KEY,
    subject_id INTEGER NOT NULL REFERENCES entity (id),
    type_id INTEGER NOT NULL REFERENCES relation_type (id),
    object_id INTEGER NOT NULL REFERENCES entity (id),
    UNIQUE (subject_id, type_id, object_id)
);
CREATE INDEX relation_object ON relation (object_id, type_id, subject_id);

CREATE TABLE relation_source (
    relation_id INTEGER NOT NULL REFERENCES relation (id),
    source_id INTEGER NOT NULL REFERENCES source_item (id),
    page_id INTEGER REFERENCES page (id)
);
CREATE UNIQUE INDEX relation_source_once ON relation_source (relation_id, source_id, ifnull(page_id, 0));
CREATE INDEX relation_source_page ON relation_source (page_id) WHERE page_id IS NOT NULL;

CREATE TABLE vector (
    space TEXT NOT NULL,
    block INTEGER NOT NULL,
    ids BLOB NOT NULL,
    rows BLOB NOT NULL,
    PRIMARY KEY (space, block)
);

CREATE TABLE vector_text (
    space TEXT NOT NULL,
    id INTEGER NOT NULL,
    hash INTEGER NOT NULL,
    PRIMARY KEY (space, id)
) WITHOUT ROWID;

-- Arrays of a corpus-fitted embedder (document frequencies, components), row-major, little-endian.
CREATE TABLE embedder_array (
    name TEXT PRIMARY KEY,
    dtype TEXT NOT NULL,
    shape TEXT NOT NULL,
    data BLOB NOT NULL
);

-- The ends of chunks' sentences: n ids, how many ends each chunk has, and the ends, little-endian.
CREATE TABLE sentence_end (
    block INTEGER PRIMARY KEY,
    ids BLOB NOT NULL,
    counts BLOB NOT NULL,
    ends BLOB NOT NULL
);

-- Arrays that a search reads whole, in blocks of little-endian numbers.
CREATE TABLE array (
    name TEXT NOT NULL,
    block INTEGER NOT NULL,
    dtype TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (name, block)
);

-- A hash of each MiB of the finished file, and in row -1 the header's change counter.
CREATE TABLE checksum (
    block INTEGER PRIMARY KEY,
    hash BLOB NOT NULL
);

-- full text -----------------------------------------------------------------

CREATE VIEW chunk_text (id, text, section, title) AS
SELECT chunk.id, chunk.text, ifnull(section.path_text, ''), page.title
FROM chunk
JOIN page ON page.id = chunk.page_id
LEFT JOIN section ON section.id = chunk.section_id;

CREATE VIRTUAL TABLE chunk_fts USING fts5 (
    text, section, title,
    content='chunk_text', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
);

CREATE VIEW entity_text (id, name, aliases, text) AS
SELECT
    entity.id,
    entity.name,
    ifnull((SELECT group_concat(alias.name, ' ') FROM alias WHERE alias.entity_id = entity.id), ''),
    CASE WHEN (SELECT value FROM meta WHERE key = 'node_documents') = 'true' THEN
        ifnull((SELECT group_concat(type, ', ') FROM (SELECT DISTINCT type FROM entity_type
                WHERE entity_type.entity_id = entity.id ORDER BY type)), '') || char(10) ||
        ifnull((SELECT group_concat(key || ': ' || value, char(10)) FROM (SELECT DISTINCT key, value FROM attribute
                WHERE attribute.entity_id = entity.id ORDER BY key, value)), '') || char(10) ||
        ifnull((SELECT group_concat(text, char(10)) FROM (SELECT chunk.text FROM chunk
                WHERE chunk.page_id = entity.page_id AND chunk.kind <> 'infobox' AND chunk.section_id IS
                (SELECT first.section_id FROM chunk AS first WHERE first.page_id = entity.page_id
                 AND first.kind <> 'infobox' ORDER BY first.position LIMIT 1)
                ORDER BY chunk.position)), '')
    ELSE
        ifnull((SELECT chunk.text FROM chunk WHERE chunk.page_id = entity.page_id
                ORDER BY chunk.position LIMIT 1), '')
    END
FROM entity;

CREATE VIRTUAL TABLE entity_fts USING fts5 (
    name, aliases, text,
    content='entity_text', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
);

CREATE VIEW relation_text (id, subject, relation, object, said_by, subject_uri, object_uri) AS
SELECT
    relation.id,
    subject.name,
    relation_type.name,
    object.name,
    (SELECT group_concat(said, '; ') FROM (
        SELECT DISTINCT ifnull(page.title, source_item.source) AS said
        FROM relation_source
        JOIN source_item ON source_item.id = relation_source.source_id
        LEFT JOIN page ON page.id = relation_source.page_id
        WHERE relation_source.relation_id = relation.id
        ORDER BY said)),
    subject.uri,
    object.uri
FROM relation
JOIN relation_type ON relation_type.id = relation.type_id
JOIN entity AS subject ON subject.id = relation.subject_id
JOIN entity AS object ON object.id = relation.object_id;

CREATE VIEW attribute_text (id, entity, key, value, number, date, said_by, uri) AS
SELECT
    attribute.id,
    entity.name,
    attribute.key,
    attribute.value,
    attribute.number,
    attribute.date,
    ifnull((SELECT min(page.title) FROM page WHERE page.source_id = attribute.source_id), source_item.source),
    entity.uri
FROM attribute
JOIN entity ON entity.id = attribute.entity_id
LEFT JOIN source_item ON source_item.id = attribute.source_id;
