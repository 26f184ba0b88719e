alter table messages
  add column edited_at timestamptz; -- when the last edit was written, by the sender's clock; null: never edited
