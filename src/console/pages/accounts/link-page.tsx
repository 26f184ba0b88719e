import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { ApiProblem } from '../../client.ts';
import { SignedOut } from '../../components/page.tsx';
import { Failure, Waiting } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { texts } from '../../messages.ts';

const t = texts.offer;

/**
 * The page of an invitation link or a reset link. The link's token is the part of the URL after #. The page sends it in
 * request bodies only, so that no access log contains it.
 * @param props.read reads the invitation or the reset that belongs to the token
 * @param props.closedTitle title if the link is incomplete or no longer works
 * @param props.children renders the result of `read`
 */
export function LinkPage<Offer>(props: {
  read: (body: { token: string }) => Promise<Offer>;
  closedTitle: string;
  children: (offer: Offer, token: string) => ReactNode;
}) {
  const { read, closedTitle, children } = props;
  const [token] = useState(() => window.location.hash.slice(1));
  const { data, error, refetch } = useQuery({
    queryKey: ['link', token],
    queryFn: () => read({ token }),
    staleTime: Infinity,
  });
  if (data !== undefined) return children(data, token);
  if (error === null) return <Waiting />;
  if (!(error instanceof ApiProblem) || (error.code !== 'not_found' && error.code !== 'validation_failed')) {
    return (
      <div className="signed-out">
        <Failure error={error} retry={() => void refetch()} />
      </div>
    );
  }
  return (
    <SignedOut title={closedTitle} lead={error.code === 'not_found' ? error.message : t.noToken}>
      <TextLink to="/">{t.toSignIn}</TextLink>
    </SignedOut>
  );
}
