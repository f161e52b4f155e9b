-- Whether an administrator chose the password, so that its owner should choose another one.
alter table users.users add column password_is_temporary boolean not null default false;
