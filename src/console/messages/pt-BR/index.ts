import { english, type Texts } from '../../messages.ts';

export const texts: Texts = { ...english };
