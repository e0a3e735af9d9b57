/** The feed in components: figures are rendered a few times a second, because faster changes cannot be read. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Topic, Topics } from '../../client/messages.ts';
import { feed } from '../feed.ts';

/** Renders the component every `interval_s`. */
export function useRefresh(interval_s: number): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setCount((count) => count + 1), interval_s * 1000);
    return () => clearInterval(timer);
  }, [interval_s]);
}

/**
 * Subscribes to a topic while the component is on the page. @returns its content, updated every
 * `interval_s`; undefined before the first
 */
export function useTopic<T extends Topic>(topic: T, interval_s: number): Topics[T] | undefined {
  const newest = useRef<Topics[T] | undefined>(undefined);
  useRefresh(interval_s);
  useEffect(() => {
    const unsubscribe = feed.subscribe(topic);
    const off = feed.on((message) => {
      newest.current = (message[topic] as Topics[T] | undefined) ?? newest.current;
    });
    return () => {
      off();
      unsubscribe();
    };
  }, [topic]);
  return newest.current;
}
