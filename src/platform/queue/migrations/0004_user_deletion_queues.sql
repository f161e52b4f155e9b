-- the queues have the name of what their messages ask for; a name may begin with a namespace
update queue.messages set queue = replace(queue, 'user_departures_', 'user_deletions_')
  where queue like '%user\_departures\_%';
update queue.outbox set queue = replace(queue, 'user_departures_', 'user_deletions_')
  where queue like '%user\_departures\_%';
