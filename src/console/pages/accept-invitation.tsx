export function AcceptInvitation({ id }: { id: string }) {
  return <p>{id}</p>;
}
