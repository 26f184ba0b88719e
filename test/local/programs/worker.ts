import './stand-in.ts';
