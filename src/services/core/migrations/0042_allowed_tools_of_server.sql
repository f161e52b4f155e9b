-- when a tool server is deleted, nobody allows its tools any more
create index allowed_tools_of_server on core.allowed_tools (server);
