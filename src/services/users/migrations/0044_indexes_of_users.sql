-- Deletions and exports of a user look for the rows that name the user.
create index locks_of_user on users.locks (user_id);
create index shares_granted_by on users.shares (granted_by_user_id);
