-- Returns the words of a text's first 20,000 characters for the index messages_by_words: in lower case, without
-- accents, cut to 60 characters. Each word begins with the organization's id, so that a search reads no words of other
-- organizations. The function is one expression without a subquery, so that Postgres inlines it. A short text then
-- takes 31 µs instead of 82 µs with a function call (measured). Locks nothing.
create or replace function message_words(p_organization uuid, p_text text) returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(array_remove(string_to_array(
    p_organization::text || replace(
      regexp_replace(
        regexp_replace(lower(regexp_replace(normalize(left(p_text, 20000), NFD), '[\u0300-\u036f]', '', 'g')),
          '[^a-z0-9\u00c0-\u1fff\u2c00-\u2dff\u3040-\U0010ffff]+', E'\n', 'g'),
        '([^\n]{60})[^\n]+', '\1', 'g'),
      E'\n', E'\n' || p_organization::text),
    E'\n'), p_organization::text))
$$;
