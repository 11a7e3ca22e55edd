export default `
`;
