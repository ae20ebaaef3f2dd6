// The later matrix times the earlier one, scaled: only the quotient of their application counts.
Item combine(Item left, Item right) {
    Item product;
    float most = 0.0;
    for (int i = 0; i < 4; i++) {
        int row = i / 2 * 2, column = i % 2;
        product.e[i] = right.e[row] * left.e[column] + right.e[row + 1] * left.e[column + 2];
        most = max(most, abs(product.e[i]));
    }
    for (int i = 0; i < 4; i++) {
        product.e[i] /= most;
    }
    return product;
}
