-- the hash of a secret in all tokens of a grant that renew it: an old one is known by it, and none
-- of them has to be kept. Null: granted before; its client signs its user in anew
alter table users.mcp_grants add column family_hash text;
create unique index mcp_grants_family on users.mcp_grants (family_hash);
