drop table integrations.account_leases;
