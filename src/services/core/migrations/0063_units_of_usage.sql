-- what models of images and sound are paid by
alter table core.model_transactions
  add column images integer, add column seconds double precision, add column characters integer;
