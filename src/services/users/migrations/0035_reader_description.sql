update users.roles set description = 'Reads what is their own or shared with them, and changes nothing'
  where name = 'reader' and built_in
    and description = 'Reads what is his or shared with him, and changes nothing';
