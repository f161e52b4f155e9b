-- A deletion looks for the rows that refer to what it deletes, ended and revoked ones too.
drop index users.sessions_of_user;
create index sessions_of_user on users.sessions (user_id);
create index shares_of_feature on users.shares (feature_id);
