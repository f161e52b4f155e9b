export const en = {
  release: "Release the lock",
  title: "Release this lock?",
  text: (name: string) =>
    `${name} may be editing right now. What they typed stays with them as a draft, and can be ` +
    "saved only as long as nobody else starts to edit. The audit log keeps who released the lock.",
  somebody: "Somebody",
  released: "The lock is released.",
};
