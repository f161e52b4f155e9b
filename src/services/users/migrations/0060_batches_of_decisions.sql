-- The end of a resource looks for its shares, also those revoked. A batch of decisions must not: by
-- a hash nobody is led to read all shares of 500 resources for the few that name the user.
drop index users.shares_of_feature;
create index shares_of_feature on users.shares using hash (feature_id);
alter function users.decide_access_of_many(text, text[], text[]) set enable_bitmapscan = off;
