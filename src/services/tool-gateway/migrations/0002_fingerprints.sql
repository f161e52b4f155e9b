-- the fingerprint covers annotations, title and output schema as well: what is seen next is what was approved
delete from tool_gateway.approved_tools;
